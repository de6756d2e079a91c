import type { HttpServer } from '@steward/service-kit/http/http-server';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { ControlApiConfiguration } from '../configuration.ts';
import { pageDirectory } from '../entries.ts';
import { statusOf } from '../http/bodies/status.ts';
import { Dashboard } from '../http/dashboard/dashboard.ts';
import { PageFiles } from '../http/dashboard/page-files.ts';
import type { FarmView } from '../status/farm-view.ts';

export interface ComposeDashboardParts {
  readonly configuration: ControlApiConfiguration;
  readonly version: string;
  readonly app: HttpServer;
  readonly view: () => FarmView;
  /** Where the built page is, where it is not beside the program. */
  readonly pageFrom: string | undefined;
}

/** The page's listener, where the configuration asks for one. */
export function composeDashboard(parts: ComposeDashboardParts): Dashboard | undefined {
  const { configuration, version, app, view, pageFrom = pageDirectory() } = parts;
  const { DASHBOARD_PORT, DASHBOARD_FARMS: farms, INSTANCE_NAME: instance } = configuration;
  if (configuration.PUBLIC_STATUS && configuration.API_KEY === undefined)
    throw new OperatorError(
      'PUBLIC_STATUS is true and API_KEY is not set: anyone who sees the card could control the server. Set API_KEY',
    );
  if (DASHBOARD_PORT === undefined) return undefined;
  return new Dashboard({
    app,
    files: new PageFiles(pageFrom, { farms, instance, version }),
    farms,
    card: configuration.PUBLIC_STATUS ? { instance, showsCode: configuration.PUBLIC_CODE } : undefined,
    status: () => statusOf(view()),
  });
}
