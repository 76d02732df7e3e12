/** Names of companies and short codes send messages, but do not receive them. */
export const isReachable = (peer: string): boolean => /^\+[1-9]\d{6,14}$/.test(peer)
