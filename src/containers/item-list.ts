/** A list of items as walks over trees fill it. */

export interface ItemList {
  count: number
  items: Int32Array
  /** Boxes looked at, those of inner nodes included. */
  boxTests: number
}

export function createItemList(): ItemList {
  return { count: 0, items: new Int32Array(16), boxTests: 0 }
}

/** Doubles the room; returns the new array, which holds what the old one held. */
export function growItems(list: ItemList): Int32Array {
  const larger = new Int32Array(2 * list.items.length)
  larger.set(list.items)
  list.items = larger
  return larger
}
