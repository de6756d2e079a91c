/** Which server this is, and what runs on it: what else is measured is joined to it. */
export const infoMetric = {
  name: 'steward_info',
  help: '1, with the name of this server and its version',
  labelNames: ['instance_name', 'version'],
};

export function infoLabels(instance: string, version: string) {
  return { instance_name: instance, version };
}
