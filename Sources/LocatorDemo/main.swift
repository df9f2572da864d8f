import Locator

print("Locator")
