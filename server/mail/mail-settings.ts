import type { Config } from '../config/config.ts'

export interface MailSettings {
  /** False without `ATRIUM_SMTP_URL`: mail then goes to the outbox folder, which only the operator can read. */
  canSend: boolean
  hasPublicUrl: boolean
  /**
   * From the public or local URL, never a request: its sender chooses the Host header and could lead the recipient to
   * another server.
   */
  linkTo: (path: string) => string
}

export const mailSettings = (
  { smtpUrl, publicUrl }: Pick<Config, 'smtpUrl' | 'publicUrl'>,
  localUrl: () => string,
): MailSettings => ({
  canSend: smtpUrl !== null,
  hasPublicUrl: publicUrl !== null,
  linkTo: (path) => `${publicUrl ?? localUrl()}${path}`,
})
