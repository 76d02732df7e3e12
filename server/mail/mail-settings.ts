import type { Config } from '../config/config.ts'

export interface MailSettings {
  /** False without `ATRIUM_SMTP_URL`: mail is then written to the outbox folder, which only the operator can read. */
  canSend: boolean
  hasPublicUrl: boolean
  /**
   * A link for a mail, from the configured public URL, else the local URL of this server. Never from a request: the
   * sender of a request chooses its Host header and could lead the recipient to another server.
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
