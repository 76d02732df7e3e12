import { t } from '../../contract/text.ts'
import type { AgentCall } from '../api/runs.ts'
import type { Meaning } from './status.tsx'

export const CALL_STATES: Record<AgentCall['state'], { label: string; meaning: Meaning }> = {
  pending: { label: t`Pending`, meaning: 'neutral' },
  approval: { label: t`Needs approval`, meaning: 'warning' },
  running: { label: t`Running`, meaning: 'accent' },
  waiting: { label: t`Waiting`, meaning: 'warning' },
  done: { label: t`Done`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
  denied: { label: t`Denied`, meaning: 'bad' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
  unknown: { label: t`Result unknown`, meaning: 'warning' },
}
