import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Lets the libraries in this very process trust an emulated platform, as NODE_EXTRA_CA_CERTS does for another one. */
export function trust({ caPem }: { readonly caPem: string }): void {
  setDefaultCACertificates([...getCACertificates('default'), caPem]);
}
