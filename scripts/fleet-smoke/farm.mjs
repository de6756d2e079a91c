import { Project } from '../docker-smoke/project.mjs';

export const parts = ['server', 'platform-auth', 'game'];

/** One farm of the example: the project that its file makes of docker-compose.yml, on ports that are free. */
export class Farm extends Project {
  constructor(name, { envFile, files, settings }) {
    super({ COMPOSE_PROJECT_NAME: name, FARM_VISITORS: '0', ...settings });
    this.name = name;
    this.overrides = files;
    this.envFile = envFile;
  }

  start() {
    this.compose('up', '-d', '--no-build', ...parts);
  }

  get api() {
    return `http://127.0.0.1:${this.env.API_PORT}`;
  }

  get page() {
    return `http://127.0.0.1:${this.env.DASHBOARD_PORT}`;
  }
}
