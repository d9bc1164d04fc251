#!/usr/bin/env python3
"""Serves a model file with llama.cpp's own HTTP server, on 127.0.0.1 until it is told to stop.

usage: serve.py MODEL PORT [NAME]

A model with a name is a real one, and is sampled as the server does it by default.
"""

import signal
import sys

import xllamacpp

SLOTS = 4
CONTEXT_PER_SLOT = 16384  # a prompt has about as many tokens as bytes
MAX_TOKENS = 512  # garbage that never ends by itself ends here


def main():
    model, port, *name = sys.argv[1:]
    # Blocked before the server starts its threads, so that `sigwait` below is what receives them.
    stop = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, stop)
    server = xllamacpp.Server(parameters(model, int(port), *name))
    print(f"serving on {server.listening_address}", flush=True)
    signal.sigwait(stop)


def parameters(model, port, name=None):
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {name or "random"}
    params.offline = True
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.ui = False
    params.endpoint_metrics = True
    params.n_parallel = SLOTS
    params.n_ctx = SLOTS * CONTEXT_PER_SLOT
    params.n_predict = MAX_TOKENS
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    if name:
        return params
    # Neutral samplers: every branch that a schema allows is taken now and then. The seed is a new one
    # for each request that brings none, since with a fixed one all runs would go nearly the same way.
    params.sampling.temp = 1.0
    params.sampling.top_k = 0
    params.sampling.top_p = 1.0
    params.sampling.min_p = 0.0
    return params


if __name__ == "__main__":
    main()
