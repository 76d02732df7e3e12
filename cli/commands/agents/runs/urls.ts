/** The page of a run, where a person also decides its approvals. */
export const runUrl = (server: string, runId: string): string => `${server}/runs/${runId}`
export const sessionUrl = (server: string, sessionId: string): string => `${server}/chat/${sessionId}`
/** The conversation with the list of its people open. */
export const peopleUrl = (server: string, sessionId: string): string =>
  `${sessionUrl(server, sessionId)}?people=all`
