"""The whole house in a browser page, without a server: what runs there, and the build of the folder of plain files.

docs/page.md explains how the parts work together; shell/ has the scripts of the page.
"""
