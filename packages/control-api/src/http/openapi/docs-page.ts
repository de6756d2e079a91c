import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { documentEndpoints } from '@steward/shared/api/endpoints/documents';

/** What the page itself brings; in the browser, where this runs. */
declare const SwaggerUIBundle: { plugins: { DownloadUrl: (system: unknown) => object } };

/**
 * `/docs`: the interactive page. Its assets come from this server alone, so it works without the internet, and every
 * address in it is relative, so it works below whatever path a proxy puts the server.
 */
export const docsPage: FastifySwaggerUiOptions = {
  routePrefix: methodAndPath(documentEndpoints.getDocsPage).path,
  // What `/docs` without a slash at its end puts before `docs/static/…`.
  indexPrefix: '.',
  theme: { title: 'Steward control API' },
  uiConfig: {
    layout: 'BaseLayout',
    // The first is the page's own, which any list here takes the place of.
    plugins: [
      (system: unknown) => SwaggerUIBundle.plugins.DownloadUrl(system),
      exactAnswers,
      exactDocument,
      ownServer,
    ],
    displayOperationId: true,
    persistAuthorization: true,
    tryItOutEnabled: true,
  },
  staticCSP: {
    'default-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'style-src': ["'self'", "'unsafe-inline'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
};

/** Of an answer as the page shows it. */
interface Props {
  readonly content?: unknown;
  readonly contentType?: string;
}

/** What the page gives its plugins. */
interface System {
  readonly React: { createElement(component: unknown, props: object): unknown };
  readonly specActions: { updateJsonSpec(document: unknown): unknown };
}

/**
 * Goes to the browser as its own source, so that it refers to nothing outside itself. The page would read an answer as JavaScript
 * does and show ids that are nobody's; this lays the answer out without reading its numbers.
 */
export function exactAnswers() {
  const largeInteger = /("(?:\\.|[^"\\])*")|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
  const mark = '\u0001';
  const marked = /"\\u0001(-?\d+)\\u0001"/g;
  function laidOut(text: string): string {
    const asTexts = text.replace(
      largeInteger,
      (found, quoted) => quoted ?? JSON.stringify(mark + found + mark),
    );
    return JSON.stringify(JSON.parse(asTexts), null, 2).replace(marked, '$1');
  }
  function exact(props: Props): Props {
    const { content, contentType = '' } = props;
    if (typeof content !== 'string' || !/json/i.test(contentType)) return props;
    try {
      return { ...props, content: laidOut(content), contentType: 'text/plain' };
    } catch {
      // No JSON after all: the page says so.
      return props;
    }
  }
  return {
    wrapComponents: {
      responseBody: (original: unknown, system: Pick<System, 'React'>) => (props: Props) =>
        system.React.createElement(original, exact(props)),
    },
  };
}

/**
 * Goes to the browser as its own source. The page reads the document at `docs/json`, and the API is one level up from there, wherever a
 * proxy puts both.
 */
export function ownServer() {
  const servers = [{ url: '..', description: 'this server' }];
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (original: (document: object) => unknown) => (document: object) =>
            original({ ...document, servers }),
        },
      },
    },
  };
}

interface Context {
  readonly source?: string;
}

/**
 * Goes to the browser as its own source, so that it refers to nothing outside itself. The page would read the document as JavaScript
 * does and show examples of ids that are nobody's. Here a large integer becomes a text, which the page hands on as it is, and
 * an integer again where it is shown.
 */
export function exactDocument() {
  const mark = '\u0001';
  const marked = /"\\u0001(-?\d+)\\u0001"/g;
  const digits = /^-?\d+$/;
  const asText = (_key: string, value: unknown, { source = '' }: Context = {}): unknown => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && digits.test(source);
    return isRounded ? mark + source + mark : value;
  };
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    return typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(1, -1)) : value;
  };
  const written = (text: unknown): unknown => (typeof text === 'string' ? text.replace(marked, '$1') : text);
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson: (original: (text: string) => unknown, system: System) => (text: string) => {
            let document: unknown;
            try {
              document = JSON.parse(text, asText);
            } catch {
              // No JSON, such as a proxy's login: the page says so.
              return original(text);
            }
            return system.specActions.updateJsonSpec(document);
          },
        },
      },
    },
    wrapComponents: {
      HighlightCode: (original: unknown, system: System) => (props: { readonly children?: unknown }) =>
        system.React.createElement(original, { ...props, children: written(props.children) }),
      JSONSchema202012JSONViewer:
        (original: unknown, system: System) => (props: { readonly value?: unknown }) =>
          system.React.createElement(original, { ...props, value: shown(props.value) }),
    },
  };
}
