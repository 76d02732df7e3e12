export const WITHOUT_TENANT: Record<string, string> = {}
