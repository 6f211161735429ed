"""Chat templates of models that call tools, shortened; each writes calls in its maker's way."""

QWEN = (
    "{%- if tools %}{{- '<|system|>' }}"
    "{%- if messages[0]['role'] == 'system' %}{{- messages[0]['content'] }}{%- endif %}"
    "{{- '\\n<tools>' }}{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}"
    "{{- '\\n</tools></s>' }}"
    "{%- elif messages[0]['role'] == 'system' %}"
    "{{- '<|system|>' + messages[0]['content'] + '</s>' }}{%- endif %}"
    "{%- for message in messages %}"
    "{%- if message.role == 'user' or (message.role == 'system' and not loop.first)"
    " or (message.role == 'assistant' and not message.tool_calls) %}"
    "{{- '<|' + message.role + '|>' + message.content + '</s>' }}"
    "{%- elif message.role == 'assistant' %}{{- '<|assistant|>' + message.content }}"
    "{%- for call in message.tool_calls %}{%- set call = call.function %}"
    '{{- \'\\n<tool_call>\\n{"name": "\' + call.name + \'", "arguments": \' }}'
    "{{- call.arguments | tojson }}{{- '}\\n</tool_call>' }}{%- endfor %}{{- '</s>' }}"
    "{%- elif message.role == 'tool' %}"
    "{{- '<|user|><tool_response>\\n' + message.content + '\\n</tool_response></s>' }}"
    "{%- endif %}{%- endfor %}{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}"
)
LLAMA = (
    "{%- if tools %}{{- '<|user|>' }}{%- for tool in tools %}{{- tool | tojson }}{%- endfor %}"
    "{{- '</s>' }}{%- endif %}"
    "{%- for message in messages %}{%- if 'tool_calls' in message %}"
    "{%- if message.tool_calls | length != 1 %}"
    "{{- raise_exception('only single tool-calls at once') }}{%- endif %}"
    "{%- set call = message.tool_calls[0].function %}"
    '{{- \'<|assistant|>{"name": "\' + call.name + \'", "parameters": \' }}'
    "{{- call.arguments | tojson }}{{- '}</s>' }}"
    "{%- elif message.role == 'tool' %}{{- '<|ipython|>' + message.content + '</s>' }}"
    "{%- else %}{{- '<|' + message.role + '|>' + message.content + '</s>' }}{%- endif %}"
    "{%- endfor %}{{- '<|assistant|>' }}"
)
MISTRAL = (
    "{%- for message in messages %}{%- if message.role == 'user' %}"
    "{%- if tools and message == (messages | selectattr('role', 'equalto', 'user') | first) %}"
    "{{- '[AVAILABLE_TOOLS]' }}{{- tools | tojson }}{{- '[/AVAILABLE_TOOLS]' }}{%- endif %}"
    "{{- '[INST]' + message.content + '[/INST]' }}"
    "{%- elif message.tool_calls is defined %}{{- '[TOOL_CALLS][' }}"
    "{%- for call in message.tool_calls %}"
    "{%- if call.id | length != 9 %}{{- raise_exception('ids have nine letters') }}{%- endif %}"
    '{{- \'{"name": "\' + call.function.name + \'", "arguments": \' }}'
    "{{- call.function.arguments | tojson }}{{- ', \"id\": \"' + call.id + '\"}' }}"
    "{%- if not loop.last %}{{- ', ' }}{%- endif %}{%- endfor %}{{- ']</s>' }}"
    "{%- elif message.role == 'tool' %}"
    "{{- '[TOOL_RESULTS]' + message.content + message.tool_call_id + '[/TOOL_RESULTS]' }}"
    "{%- elif message.role == 'system' %}{{- message.content }}"
    "{%- else %}{{- message.content + '</s>' }}{%- endif %}{%- endfor %}"
)
OTHER_FORM = QWEN.replace(
    '{"name": "\' + call.name + \'", "arguments": \' }}{{- call.arguments | tojson }}{{- \'}',
    "<function=' + call.name + '>' }}{{- call.arguments | tojson }}{{- '</function>",
)
HERMES_WITHOUT_RESULTS = QWEN.replace("message.role == 'tool'", "message.role == 'nobody'")
