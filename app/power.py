"""Whether this computer runs on mains power."""


def on_mains() -> bool:
    """Return False only where a battery is known to be in use."""
    import psutil

    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, RuntimeError):
        return True
    return battery is None or battery.power_plugged is not False
