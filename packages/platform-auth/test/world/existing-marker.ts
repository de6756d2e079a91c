/** As the existing server's own downloader writes it, once all files are there. */
export const existingMarker = `{
  "appId": 413150,
  "depotId": 413153,
  "manifestId": 5712385129385712389,
  "targetOs": "linux",
  "totalBytes": 604251331,
  "totalFiles": 2710,
  "downloadedAt": "2026-10-01T06:30:00.0000000Z"
}`;
