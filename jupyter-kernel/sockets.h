// Sockets as the kernel's channels use them.
#pragma once

#include <string>
#include <xeus/xkernel_configuration.hpp>
#include <xeus/xmiddleware.hpp>
#include <zmq.hpp>

namespace strider::jupyter {

constexpr int kLinger = 1000;  // milliseconds for what is not yet sent at the end

// An empty port, or 0: any that is free.
inline void bind_socket(zmq::socket_t& socket, const xeus::xconfiguration& configuration,
                        const std::string& port) {
  socket.set(zmq::sockopt::linger, kLinger);
  bool any = (port.empty() || port == "0") && configuration.m_transport == "tcp";
  socket.bind(xeus::get_end_point(configuration.m_transport, configuration.m_ip, any ? "*" : port));
}

}  // namespace strider::jupyter
