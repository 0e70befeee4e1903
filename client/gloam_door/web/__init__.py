"""The door for browsers: pages, WebSocket, the page's messages. The one package that imports websockets."""
