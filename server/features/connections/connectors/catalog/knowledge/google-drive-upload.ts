import { newId } from '../../../../../security/ids.ts'

/** A file with its metadata as `multipart/related`. Content that existed before cannot contain the random boundary. */
export function multipart(metadata: object, mimeType: string, content: string) {
  const boundary = `atrium-${newId()}`
  const body = [
    `--${boundary}`,
    'content-type: application/json; charset=UTF-8',
    '',
    JSON.stringify(metadata),
    `--${boundary}`,
    `content-type: ${mimeType}; charset=UTF-8`,
    '',
    content,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return { type: `multipart/related; boundary=${boundary}`, body }
}
