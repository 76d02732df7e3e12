/** A name that a person chose. Its text direction does not reorder the text around it. */
export const Name = ({ children }: { children: string | undefined }) => <bdi>{children}</bdi>
