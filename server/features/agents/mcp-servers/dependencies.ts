import type { PublicContext } from '../../../context.ts'

/** The dependencies of a connection to a server; every context has them. */
export type Dependencies = Pick<PublicContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'>
