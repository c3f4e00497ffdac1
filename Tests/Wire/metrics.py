"""Reads a server's metrics by Prometheus' own parser, and says how many samples there are. Usage: metrics.py BASE_URL"""
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

text = urllib.request.urlopen(f"{sys.argv[1]}/metrics").read().decode()
families = list(text_string_to_metric_families(text))
samples = [sample for family in families for sample in family.samples]
if not any(sample.value > 0 for sample in samples):
    sys.exit("FAIL no metric says that anything happened")
print(f"{len(samples)} samples of {len(families)} metrics")
