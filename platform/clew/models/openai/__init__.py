"""Any server that speaks OpenAI's protocol: read endpoint.py first, then chat.py.

`OpenAi` is what `llm=openai` makes, `OpenAiEmbedder` what `embedder=openai` does.
"""

from clew.models.openai.embed import OpenAiEmbedder
from clew.models.openai.settings import OpenAi

__all__ = ["OpenAi", "OpenAiEmbedder"]
