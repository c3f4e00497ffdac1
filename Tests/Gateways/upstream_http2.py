"""The application behind the gateways, over HTTP/2 without TLS: it answers 200, and remembers each request with its trailers."""
import socket
import threading

import h2.config
import h2.connection
import h2.events


class UpstreamHTTP2:
    def __init__(self, port):
        self.arrived = []
        self.listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="latin-1"))
        requests = {}
        with connection:
            state.initiate_connection()
            connection.sendall(state.data_to_send())
            while data := connection.recv(65_536):
                for event in state.receive_data(data):
                    self.take(event, requests, state)
                connection.sendall(state.data_to_send())

    def take(self, event, requests, state):
        if isinstance(event, h2.events.RequestReceived):
            requests[event.stream_id] = {"fields": list(event.headers), "target": dict(event.headers)[":path"], "trailers": []}
        elif isinstance(event, h2.events.DataReceived):
            state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.TrailersReceived):
            requests[event.stream_id]["trailers"] = list(event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            self.arrived.append(requests.pop(event.stream_id))
            state.send_headers(event.stream_id, [(":status", "200")], end_stream=True)

    def stop(self):
        self.listener.close()
