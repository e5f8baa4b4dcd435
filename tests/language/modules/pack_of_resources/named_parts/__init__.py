SPEC = __spec__.name
PARENT = __spec__.parent
from . import inner
def main(): return "ran"
