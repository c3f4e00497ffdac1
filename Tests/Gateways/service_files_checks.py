"""The service's configuration, replaced in the ways of operators. Each check is a function of the lab."""
import replacing
from lab import Service, ServiceLab
from program import eventually
from running_checks import changed, name_seen
from watching import Watch


class MountedService(Service):
    """A service whose configuration is mounted as Kubernetes mounts a ConfigMap."""

    def adapted(self, text):
        self.file = self.lab.folder / "mounted/assay.yaml"
        self.file.parent.mkdir()
        return text

    def configure(self, text):
        replacing.by_a_link(self.file, text)


def the_configuration_counts_however_its_file_is_replaced(lab, long):
    if "nginx" not in {gateway.name for gateway in lab.gateways}:
        return "skipped"
    own = ServiceLab(["nginx"], MountedService)
    try:
        good = own.provider.token()
        texts = [(changed(own.service.text), "jane"), (own.service.text, "Jane Doe")]
        ways = [replacing.by_a_link, replacing.from_a_backup] * (5 if long else 1)
        with Watch(own, own.gateways[0].port, [good], [None, own.forged(good)]) as watch:
            for number, replace in enumerate(ways):
                text, name = texts[number % 2]
                replace(own.service.file, text)
                eventually(lambda: name_seen(own) == name, 60, f"the configuration, {replace.__name__}")
        return watch.counts
    finally:
        own.stop()


ALL = [the_configuration_counts_however_its_file_is_replaced]
