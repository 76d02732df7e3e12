/** On one line, left to right. */
export const Phone = ({ children }: { children: string }) => (
  <span dir="ltr" className="whitespace-nowrap tabular-nums">
    {children}
  </span>
)

/** Removes spaces, dashes and brackets, and replaces a leading `00` with `+`. */
export const asE164 = (typed: string) => typed.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
