import type { PublicContext } from '../../context.ts'

/** What a connection to a server needs; every context has it. */
export type Dependencies = Pick<PublicContext, 'sql' | 'outbound' | 'vault' | 'now'>
