import { execFileSync } from 'node:child_process';

/** Has openssl make a certificate that is its own authority, for these names and addresses (`DNS:localhost`, `IP:127.0.0.1`). */
export function makeCertificate(certificateFile: string, keyFile: string, names: readonly string[]): void {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names.join(',')}`];
  execFileSync('openssl', ['req', ...kind, ...name, '-keyout', keyFile, '-out', certificateFile], {
    stdio: 'ignore',
  });
}
