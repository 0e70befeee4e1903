"""The Gloam server: content <- rules <- world <- views <- sessions <- (net, storage) <- app."""
