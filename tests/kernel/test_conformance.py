"""The protocol tests of jupyter_kernel_test."""

import unittest

import jupyter_kernel_test


class StriderKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "strider"
    language_name = "strider"
    file_extension = ".npx"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    completion_samples = [
        {"text": "zi", "matches": {"zip"}},
        {"text": "x = sorte", "matches": {"sorted"}},
    ]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x*2\n\n\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x*2", "x = ["]
    invalid_code_samples = ["import = 7q", "x = = 1"]
    code_page_something = "zip?"
    code_generate_error = "raise ValueError('wrong')"
    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": "import numpy as np; np.arange(3)", "result": "array([0, 1, 2])"},
    ]
    code_display_data = [
        {"code": "from IPython.display import HTML, display; display(HTML('<b>test</b>'))",
         "mime": "text/html"},
        {"code": "import numpy as np; from IPython.display import Image, display\n"
                 "display(Image(np.zeros((4, 4), np.uint8)))", "mime": "image/png"},
    ]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "6?7"
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"


if __name__ == "__main__":
    unittest.main()
