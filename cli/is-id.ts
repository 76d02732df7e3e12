/** Whether a reference that a user typed is an id rather than a name. */
export const isId = (ref: string): boolean => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(ref)
