// The environment of a C test in WebAssembly is that of node, which runs it.
Module["preRun"] = () => Object.assign(ENV, process.env);
