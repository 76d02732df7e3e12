/** A list of one problem, or of none if the condition is true. */
export const problemUnless = (isFine: boolean, problem: string) => (isFine ? [] : [problem])
