import type { z } from 'zod'
import type { PhoneNumber } from '../../../../contract/telephony/telephony-records.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { NumberUrls } from '../carrier/carrier.ts'

type NumberRecord = z.output<typeof PhoneNumber>

export interface NumberRow {
  orgId: string
  id: string
  e164: string
  provider: 'twilio'
  providerId: string
  accountId: string
  connectionId: string | null
  label: string | null
  capabilities: NumberRecord['capabilities']
  status: NumberRecord['status']
  statusReason: string | null
  /** Where the carrier sent requests when its settings were last read. */
  urls: Partial<NumberUrls>
  /** Whether this server sets the URLs; otherwise a member sets them, or the number is for outbound calls only. */
  configuresUrls: boolean
  projectId: string
  ownerId: string
  settings: unknown
  checkedAt: string | null
  createdAt: string
}

/** The columns of the number `n`. */
export const numberColumns = (sql: Sql): Fragment => sql`
  n.org_id as "orgId", n.id, n.e164, n.provider, n.provider_id as "providerId", n.account_id as "accountId",
  n.connection_id as "connectionId", n.label, n.capabilities, n.status, n.status_reason as "statusReason", n.urls,
  n.configures_urls as "configuresUrls", n.project_id as "projectId", n.owner_id as "ownerId", n.settings,
  n.checked_at as "checkedAt", n.created_at as "createdAt"`
