"""The shipped campaigns in memory: the fork server of a worker imports this, so that a takeover waits for no campaign."""

from gloam_server.app.campaign_files import read_campaign
from gloam_server.content.shipped import SHIPPED

for _name in SHIPPED:
    read_campaign(_name)
