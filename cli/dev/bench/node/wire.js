/*
 * wire.js - the resources of a DiscoveryResponse in binary, as the Any that a client gets:
 * the names of its fields, and values that are parts of the file.
 */
'use strict';

const RESOURCES = 2, TYPE_URL = 1, VALUE = 2; // numbers of fields

function* fields(bytes)
{
    let at = 0;
    const varint = () => {
        let value = 0, scale = 1, byte;
        do {
            byte = bytes[at++];
            value += (byte & 127) * scale;
            scale *= 128;
        } while (byte > 127);
        return value;
    };

    // All fields that matter have a length; the other kind here is a varint.
    while (at < bytes.length) {
        const key = varint(), value = varint();
        if ((key & 7) !== 2)
            continue;
        yield [key >> 3, bytes.subarray(at, at + value)];
        at += value;
    }
}

function any(bytes)
{
    const message = {type_url: '', value: Buffer.alloc(0)};
    for (const [number, value] of fields(bytes)) {
        if (number === TYPE_URL)
            message.type_url = value.toString();
        if (number === VALUE)
            message.value = value;
    }
    return message;
}

exports.resources = function* (bytes) {
    for (const [number, value] of fields(bytes))
        if (number === RESOURCES)
            yield any(value);
};
