/** The pages of the dashboard that commands refer to. */
export const approvalUrl = (server: string, approvalId: string): string => `${server}/approvals/${approvalId}`
export const runUrl = (server: string, runId: string): string => `${server}/runs/${runId}`
export const sessionUrl = (server: string, sessionId: string): string => `${server}/chat/${sessionId}`
