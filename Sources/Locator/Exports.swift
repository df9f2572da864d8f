@_exported public import LocatorProperties
