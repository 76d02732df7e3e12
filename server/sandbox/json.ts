/** Of a program's text. Without `__proto__`, which some code would take for an object's prototype. */
export const parseJson = (text: string): unknown =>
  text.includes('__proto__') || text.includes('\\u')
    ? JSON.parse(text, (name, value) => (name === '__proto__' ? undefined : value))
    : JSON.parse(text)
