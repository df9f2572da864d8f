// The typed, explainable properties of profile files.
