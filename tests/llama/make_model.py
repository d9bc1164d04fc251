#!/usr/bin/env python3
"""Writes a tiny llama model of random weights: make_model.py FILE

Nothing is downloaded and nothing is learned. The vocabulary is the 256 bytes, a few two-byte
letters and one token that ends a reply, so a prompt has about as many tokens as bytes. Constrained
decoding turns such a model into answers that fit the schema and mean nothing.

The first channel of every embedding is constant and no layer writes to it, which makes the first
column of the output matrix a bias for each token. Without it strings and lists would hardly ever
end; with it letters, quotes and closing brackets come about as often as in short JSON.
"""

import math
import sys

import gguf
import numpy as np

SEED = 20
LAYERS = 1
WIDTH = 64
HEADS = 1
HIDDEN = 128
CONTEXT = 32768

CONSTANT = 8.0
NOISE = 0.5  # spread of what the context adds to a token's bias
NEVER = 1e-12

TWO_BYTE_LETTERS = "éüñßж"
END = "<|end|>"
END_WEIGHT = 1.0  # of about 100: an unconstrained reply ends after some hundred tokens
WEIGHTS = {
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 2.2),
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.5),
    **dict.fromkeys("0123456789", 1.0),
    **dict.fromkeys(TWO_BYTE_LETTERS, 0.1),
    **dict.fromkeys(",:.-_{[", 0.8),
    " ": 8.0, "\n": 0.2, '"': 12.0, "}": 4.0, "]": 4.0,
}  # fmt: skip
PRINTABLE_WEIGHT = 0.1  # the rest of ASCII; bare bytes of other letters are never drawn

# A call stands between two characters that hardly ever come in a text: where the first one is drawn, the
# server's grammar takes over.
TEMPLATE = (
    "{% if tools %}{% for tool in tools %}{{ 'tool: ' + (tool | tojson) + '\n' }}{% endfor %}{% endif %}"
    "{% for message in messages %}{{ message['role'] + ': ' + (message['content'] or '') }}"
    "{% for call in message['tool_calls'] or [] %}"
    "{{ '`{\"name\": \"' + call['function']['name'] + '\", \"arguments\": ' }}"
    "{{ (call['function']['arguments'] | tojson) + '}`' }}{% endfor %}"
    "{{ '\n' }}{% endfor %}{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"
)


def main():
    tokens = single_bytes() + two_byte_letters()
    writer = gguf.GGUFWriter(sys.argv[1], "llama")
    write_shape(writer)
    write_vocabulary(writer, tokens)
    write_weights(writer, token_biases(tokens))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def single_bytes():
    return [bytes([byte]) for byte in range(256)]


def two_byte_letters():
    return [letter.encode() for letter in TWO_BYTE_LETTERS]


def write_shape(writer):
    writer.add_context_length(CONTEXT)
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)


def write_vocabulary(writer, tokens):
    names = byte_names()
    spelled = ["".join(names[byte] for byte in token) for token in tokens]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([*spelled, END])
    writer.add_token_types(
        [gguf.TokenType.NORMAL] * len(tokens) + [gguf.TokenType.CONTROL]
    )
    writer.add_token_merges([" ".join(token) for token in spelled if len(token) == 2])
    writer.add_bos_token_id(len(tokens))
    writer.add_eos_token_id(len(tokens))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    writer.add_vocab_size(len(tokens) + 1)


def byte_names():
    """GPT-2's printable character for each byte, the spelling this kind of vocabulary requires."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in printable else next(others)) for byte in range(256)]


def token_biases(tokens):
    """The logarithm of how often each token is drawn, the ending token last."""
    weights = [*map(token_weight, tokens), END_WEIGHT]
    return np.log(np.array(weights) / max(weights))


def token_weight(token):
    text = token.decode(errors="replace")
    return WEIGHTS.get(text, PRINTABLE_WEIGHT if " " <= text <= "~" else NEVER)


def write_weights(writer, biases):
    generator = np.random.default_rng(SEED)

    def random(rows, columns, spread=None):
        spread = columns**-0.5 if spread is None else spread
        return generator.normal(0, spread, (rows, columns)).astype(np.float32)

    def keeps_constant(matrix):
        matrix[0] = 0
        return matrix

    embedding = random(len(biases), WIDTH, 1.0)
    embedding[:, 0] = CONSTANT
    writer.add_tensor("token_embd.weight", embedding)
    for layer in range(LAYERS):
        block = {
            "attn_norm": np.ones(WIDTH, np.float32),
            "attn_q": random(WIDTH, WIDTH),
            "attn_k": random(WIDTH, WIDTH),
            "attn_v": random(WIDTH, WIDTH),
            "attn_output": keeps_constant(random(WIDTH, WIDTH)),
            "ffn_norm": np.ones(WIDTH, np.float32),
            "ffn_gate": random(HIDDEN, WIDTH),
            "ffn_up": random(HIDDEN, WIDTH),
            "ffn_down": keeps_constant(random(WIDTH, HIDDEN)),
        }
        for name, matrix in block.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", matrix)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))

    # The last norm divides by the root mean square of all channels, about that of the embedding.
    scale = math.sqrt((CONSTANT**2 + WIDTH - 1) / WIDTH)
    output = random(len(biases), WIDTH, NOISE * scale / math.sqrt(WIDTH - 1))
    output[:, 0] = biases * scale / CONSTANT
    writer.add_tensor("output.weight", output.astype(np.float32))


if __name__ == "__main__":
    main()
