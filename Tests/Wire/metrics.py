"""Reads a server's metrics with Prometheus' own parser, and prints the number of samples. Usage: metrics.py BASE_URL SECONDS

SECONDS is a date shortly before the start of the server.
"""
import sys
import time
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

text = urllib.request.urlopen(f"{sys.argv[1]}/metrics", timeout=120).read().decode()
families = list(text_string_to_metric_families(text))
samples = [sample for family in families for sample in family.samples]
if not any(sample.value > 0 for sample in samples):
    sys.exit("FAIL no metric says that anything happened")
values = {sample.name: sample.value for sample in samples}
if not float(sys.argv[2]) <= values["process_start_time_seconds"] <= time.time():
    sys.exit(f"FAIL the process starts at {values['process_start_time_seconds']}")
if not 0 < values["http_connections"] <= values["http_connections_accepted_total"]:
    sys.exit(f"FAIL {values['http_connections']} of {values['http_connections_accepted_total']} connections are open")
print(f"{len(samples)} samples of {len(families)} metrics")
