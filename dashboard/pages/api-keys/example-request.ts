/** A call that any key may make, whatever its scopes. */
export const exampleRequest = (key: string) =>
  `curl ${location.origin}/api/v1/feedback \\
  -H "Authorization: Bearer ${key}"`
