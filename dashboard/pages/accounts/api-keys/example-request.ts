/** Needs no scope, so any key can make it. */
export const exampleRequest = (key: string) =>
  `curl ${location.origin}/api/v1/feedback \\
  -H "Authorization: Bearer ${key}"`
