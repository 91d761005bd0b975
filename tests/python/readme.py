"""Runs the Python examples of a README, one after the other, in a namespace of their own each."""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
examples = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
if len(examples) < 5:
    sys.exit(f"the README has {len(examples)} examples")
for number, example in enumerate(examples, 1):
    exec(compile(example, f"example {number}", "exec"), {"__name__": f"example_{number}"})
