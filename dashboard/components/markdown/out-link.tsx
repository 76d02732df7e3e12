import type { ComponentProps } from 'react'

/** Opens in a new tab without opener or referrer. Not a tab stop: on the canvas Tab moves between blocks. */
export function OutLink(props: ComponentProps<'a'>) {
  return <a tabIndex={-1} target="_blank" rel="noreferrer noopener" {...props} />
}
