import { textParams } from '../../../state/text-params.ts'

export const parseLogSearch = (search: Record<string, unknown>) =>
  textParams(search, 'q', 'type', 'state', 'direction', 'webhook', 'event', 'period', 'from', 'to')

export type LogSearch = ReturnType<typeof parseLogSearch>
