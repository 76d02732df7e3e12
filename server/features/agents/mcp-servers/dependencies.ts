import type { PublicContext } from '../../../context.ts'

export type Dependencies = Pick<PublicContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'>
