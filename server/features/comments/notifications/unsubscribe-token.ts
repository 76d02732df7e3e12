import {
  NOTIFICATION_KIND_NAMES,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import type { Vault } from '../../../security/vault.ts'

/** Signed: renaming it would invalidate links in mails. */
const PURPOSE = 'unsubscribe'
const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FORMAT = new RegExp(`^((${ID})\\.(${ID})\\.([a-z]+))\\.([\\w-]{43})$`)

export interface Subscription {
  orgId: string
  userId: string
  mailKind: NotificationKind | 'digest'
}

/** Never expires, because mails are kept. */
export function unsubscribePath(vault: Vault, { orgId, userId, mailKind }: Subscription): string {
  const text = `${orgId}.${userId}.${mailKind}`
  return `/api/v1/notifications/unsubscribe?token=${text}.${vault.sign(PURPOSE, text)}`
}

export function verifyUnsubscribe(vault: Vault, token: string): Subscription | null {
  const [, text = '', orgId = '', userId = '', mailKind = '', tag = ''] = FORMAT.exec(token) ?? []
  if (!vault.verify(PURPOSE, text, tag)) return null
  const isKnown = mailKind === 'digest' || NOTIFICATION_KIND_NAMES.some((kind) => kind === mailKind)
  return isKnown ? { orgId, userId, mailKind: mailKind as Subscription['mailKind'] } : null
}
