PARENT = __spec__.parent
