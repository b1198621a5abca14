// Work on a stream of items, several at a time, and their results in the order of the items, each as soon as it and those before
// it are there.

/** `width`: most items under way at a time. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const source = items[Symbol.asyncIterator]()
  const underWay: Promise<Result>[] = []
  const take = () => {
    const taken = source.next()
    // told when it is waited for
    taken.catch(() => undefined)
    return taken
  }
  let next: Promise<IteratorResult<Item>> | null = take()
  try {
    while (next !== null || underWay.length > 0) {
      const isResult: boolean =
        next === null ||
        (underWay.length > 0 &&
          (underWay.length >= width || (await Promise.race([underWay[0].then(() => true), next.then(() => false)]))))
      if (isResult) {
        yield await (underWay.shift() as Promise<Result>)
        continue
      }
      const item: IteratorResult<Item> = await (next as Promise<IteratorResult<Item>>)
      if (item.done === true) {
        next = null
        continue
      }
      const result = work(item.value)
      result.catch(() => undefined)
      underWay.push(result)
      next = take()
    }
  } finally {
    await source.return?.()
  }
}
