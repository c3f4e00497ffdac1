"""Reads a server's metrics with Prometheus' own parser, and prints the number of samples. Usage: metrics.py BASE_URL"""
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

text = urllib.request.urlopen(f"{sys.argv[1]}/metrics", timeout=120).read().decode()
families = list(text_string_to_metric_families(text))
samples = [sample for family in families for sample in family.samples]
if not any(sample.value > 0 for sample in samples):
    sys.exit("FAIL no metric says that anything happened")
print(f"{len(samples)} samples of {len(families)} metrics")
